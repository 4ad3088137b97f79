import { createContext } from "react";
import { BerthError } from "../lib/api.ts";
import { messageOf } from "../lib/messages.ts";

/** What a refusal says beside the field of a form that it is about. */
export interface FieldRefusal {
  readonly name: string;
  readonly message: string;
}

/** For fields that are not of React Aria, which has its own way. */
export const RefusalContext = createContext<FieldRefusal | undefined>(undefined);

/**
 * The field of a form that a refusal is about: the API names it as `body.name`, or as `body.env.0.name` where it is a
 * part of what one field of the form holds.
 * @param fieldOf names of fields, by the code of the refusal or by the API's name of the field without `body.`
 */
export function refusalOf(
  error: unknown,
  fieldOf: Readonly<Record<string, string>> | undefined,
  form: HTMLFormElement | null,
): FieldRefusal | undefined {
  if (!(error instanceof BerthError)) return undefined;
  const path = String(error.data.field ?? "").replace(/^body\./, "");
  const [first = "", second] = path.split(".");
  const candidates = [fieldOf?.[error.code], fieldOf?.[path], path, first];
  const name = candidates.find((one) => one && form?.elements.namedItem(one));
  if (name === undefined) return undefined;
  const isPart = name === first && second !== undefined;
  return { name, message: isPart ? `${partWord(second)}: ${saidOf(error)}` : capitalized(saidOf(error)) };
}

/** Puts the focus on a field, which scrolls to it. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLElement)) return;
  field.closest("details")?.setAttribute("open", "");
  field.focus();
}

/** Parts of a list are lines of its field, and are counted from 1. */
const partWord = (part: string): string => (/^\d+$/.test(part) ? `Line ${Number(part) + 1}` : part);

/** The API says first which field it means; here the message stands beside it. */
const saidOf = (error: unknown): string => messageOf(error).replace(/^body\.[^\s:]+:? /, "");
const capitalized = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());
