import { useId, useState } from "react";
import { countryCodes, countryName } from "../../lib/countries.ts";
import { Field } from "../../ui/field.tsx";

const COUNTRIES = countryCodes().map((code) => ({ code, name: countryName(code) }));

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** The country that a text means: its name or its code; else the only one that begins with it. */
function countryNamed(text: string): string | undefined {
  const asked = plain(text);
  const exact = COUNTRIES.find(({ code, name }) =>
    [name, name.slice(0, -" (XX)".length), code].map(plain).includes(asked),
  );
  const begins = COUNTRIES.filter(({ name }) => plain(name).startsWith(asked));
  return (exact ?? (begins.length === 1 ? begins[0] : undefined))?.code;
}

interface CountryFieldProps {
  /** ISO 3166-1; empty: any. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** One country of all: a few letters of its name find it. */
export function CountryField({ value, onChange }: CountryFieldProps) {
  const list = useId();
  const shown = value === "" ? "" : countryName(value);
  const [text, setText] = useState(shown);
  const [from, setFrom] = useState(shown);
  /** The country that was found in what is being typed, which stays as it is typed. */
  const [typed, setTyped] = useState<string>();
  if (from !== shown) {
    setFrom(shown);
    if (value !== typed) setText(shown);
  }
  const change = (next: string) => {
    setText(next);
    const code = next === "" ? "" : countryNamed(next);
    if (code === undefined || code === value) return;
    setTyped(code);
    onChange(code);
  };
  const settle = () => {
    const code = text === "" ? "" : (countryNamed(text) ?? value);
    setText(code === "" ? "" : countryName(code));
    setTyped(undefined);
    if (code !== value) onChange(code);
  };
  return (
    <>
      <Field
        label="Country"
        placeholder="any"
        type="search"
        list={list}
        value={text}
        onChange={change}
        // Typing replaces the country that was chosen before.
        onFocus={({ target }) => (target as HTMLInputElement).select()}
        onBlur={settle}
        onKeyDown={({ key }) => key === "Enter" && settle()}
      />
      <datalist id={list}>
        {COUNTRIES.map(({ code, name }) => (
          <option key={code} value={name} />
        ))}
      </datalist>
    </>
  );
}
