import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { isolated } from "../lib/isolated.ts";
import { Button, IconButton } from "./button.tsx";
import { Form } from "./form.tsx";
import type { Command } from "./same-by-command.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

/** The second click of a double click on the button that opens a dialog lands beside it. */
const DOUBLE_CLICK_MS = 500;

/**
 * A dialog over the page. It is there as long as it is rendered: `{isOpen && <Dialog …>}`. The browser's Back closes it
 * and leaves the page where it is.
 */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const openedAt = useRef(performance.now());
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      if (action !== "BACK") return false;
      onClose();
      return true;
    },
  });
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || onClose()}
      shouldCloseOnInteractOutside={() => (window.event?.timeStamp ?? 0) - openedAt.current > DOUBLE_CLICK_MS}
      className="overlay"
    >
      <Modal className={isWide ? "modal wide" : "modal"}>
        <AriaDialog className="dialog">
          <header>
            <Heading slot="title">{isolated(title)}</Heading>
            <IconButton icon="close" label="Close" onPress={onClose} />
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What happens, as a verb: "Delete the container". */
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly isDangerous?: boolean;
  /** It cannot be done now: the text says why. */
  readonly isDisabled?: boolean;
  readonly command?: Command | readonly Command[];
}

/** Asks before something that cannot be undone. */
export const Confirm = ({
  title,
  children,
  action,
  onConfirm,
  onClose,
  isDangerous,
  isDisabled = false,
  command,
}: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      submit={action}
      look={isDangerous ? "danger" : "primary"}
      isDisabled={isDisabled}
      onSubmit={async () => {
        await onConfirm();
        onClose();
      }}
      actions={<Button onPress={onClose}>{action.startsWith("Cancel ") ? "Keep it" : "Cancel"}</Button>}
      {...(command === undefined ? {} : { command: () => command })}
    >
      {children}
    </Form>
  </Dialog>
);
