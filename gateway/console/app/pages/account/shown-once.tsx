import { Button } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icons.tsx";

/** A secret that nobody can read again, with a button that copies it. */
export const ShownOnce = ({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) => (
  <Dialog title={title} onClose={onClose} isShownOnce>
    <div className="stack">
      <p className="note warn">
        <Icon name="warning" />
        Copy it now: it is shown only this once.
      </p>
      <Copyable text={secret} label={title.toLowerCase()} />
      <div className="form-actions">
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </div>
  </Dialog>
);
