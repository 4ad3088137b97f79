import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icons.tsx";

/** Recovery codes, which nobody can read again, to copy or to keep as a file. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join("\n")}\n`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes of Berth, ${location.host}\n\n${text}`)}`;
  return (
    <Dialog title="Recovery codes" onClose={onClose} isShownOnce>
      <div className="stack">
        <p className="note warn">
          <Icon name="warning" />
          Keep them now: they are shown only this once.
        </p>
        <p>Each signs in once in place of your second factor, for when you have lost it.</p>
        <div className="copyable">
          <code className="recovery-codes">{text.trimEnd()}</code>
          <CopyButton text={text} label="Copy the recovery codes" />
        </div>
        <div className="form-actions">
          <Button look="primary" onPress={onClose}>
            I have kept them
          </Button>
          <a className="button plain" href={file} download="berth-recovery-codes.txt">
            Download
          </a>
        </div>
      </div>
    </Dialog>
  );
}
