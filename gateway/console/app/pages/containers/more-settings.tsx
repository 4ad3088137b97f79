import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";
import { missingValueIn } from "./lines.ts";
import { namedPortsFault } from "./port-words.ts";

/** The values that the fields begin with; a new container has none. */
interface Begin {
  readonly begin?: Values;
}

/** For a field that begins with a value where there is one. */
const named = (name: string, begin: Values = {}) => ({ name, defaultValue: begin[name] ?? "" });

const RESTART_CHOICES = [
  { value: "no", label: "leave it stopped" },
  { value: "on-failure", label: "start it again after a failure" },
  { value: "unless-stopped", label: "start it again unless it was stopped" },
  { value: "always", label: "always start it again" },
];

/** A new container needs no choice: its own is that of the API. */
const NEW_RESTART_CHOICES = [
  { value: "", label: "always start it again" },
  ...RESTART_CHOICES.filter(({ value }) => value !== "always"),
];

/** What a program is given when it starts. */
export const EnvironmentFields = ({ begin }: Begin) => (
  <>
    <Field
      label="Variables"
      validate={missingValueIn}
      {...named("env", begin)}
      lines={4}
      placeholder={"MODE=production\nGREETING=hello"}
      hint="One a line: NAME=value. In double quotes a value may have \n for a new line."
    />
    <Field
      label="Secret variables"
      validate={missingValueIn}
      {...named("secrets", begin)}
      lines={2}
      placeholder="DATABASE_PASSWORD=…"
      hint={
        begin?.secrets
          ? "A value of ••• stays as it is. Write over it to change it, or remove the line."
          : "As above. Nobody can read them again: neither here nor by the API."
      }
    />
  </>
);

/** What holds from the moment that it is changed. */
export const LimitFields = ({ begin }: Begin) => (
  <>
    <Field
      label="Ports"
      {...named("ports", begin)}
      lines={2}
      placeholder={"web=8080\ndatabase=5432/tcp"}
      validate={namedPortsFault}
      hint="What its program listens on, one a line: a word of yours, = and the number. The web is meant unless /ssh, /tcp or the like follows. This opens nothing by itself."
    />
    <div className="field-row">
      <Field
        label="Memory, MiB"
        {...named("memory", begin)}
        inputMode="decimal"
        pattern={DECIMAL}
        placeholder="512"
      />
      <Field
        label="Cores"
        {...named("cores", begin)}
        inputMode="decimal"
        pattern={DECIMAL}
        placeholder="0.5"
      />
      <Field
        label="Disk, MiB"
        {...named("disk", begin)}
        inputMode="decimal"
        pattern={DECIMAL}
        placeholder="10240"
      />
      <Field
        label="Bandwidth, Mbit/s"
        {...named("bandwidth", begin)}
        inputMode="numeric"
        pattern="[0-9]+"
        placeholder="100"
      />
    </div>
    <div className="field-row">
      <ChoiceField
        label="When its program ends"
        {...named("restart", begin)}
        choices={begin === undefined ? NEW_RESTART_CHOICES : RESTART_CHOICES}
      />
      <Field
        label="Starts after failures"
        {...named("retries", begin)}
        inputMode="numeric"
        pattern={WHOLE}
        hint="In a row, where it starts again after a failure. Empty: without end."
      />
    </div>
    <div className="field-row">
      <Field
        label="Seconds to stop"
        {...named("grace", begin)}
        inputMode="numeric"
        pattern={WHOLE}
        placeholder="5"
        hint="Then it is killed."
      />
      <Field
        label="Signal to stop"
        {...named("signal", begin)}
        placeholder="SIGTERM"
        hint="Empty: that of its image."
      />
    </div>
    <Field
      label="Labels"
      {...named("labels", begin)}
      lines={2}
      placeholder="app=shop"
      hint="One a line: key=value. The list of containers can be narrowed by them."
    />
  </>
);

const DECIMAL = "[0-9]{1,10}(\\.[0-9]{1,6})?";
const WHOLE = "[0-9]{1,6}";

/** Whether its program works, as Berth sees it. */
export const HealthFields = ({ begin }: Begin) => (
  <>
    <Field
      label="Health check"
      {...named("health", begin)}
      placeholder={'sh -c "curl -f localhost:8080/health"'}
      hint="A command in the container: it is healthy while this succeeds. Empty: the check of its image."
    />
    <div className="field-row">
      <Field
        label="Every, seconds"
        {...named("health_interval", begin)}
        inputMode="numeric"
        pattern={WHOLE}
        placeholder="30"
      />
      <Field
        label="Limit, seconds"
        {...named("health_timeout", begin)}
        inputMode="numeric"
        pattern={WHOLE}
        placeholder="30"
      />
    </div>
    <div className="field-row">
      <Field
        label="To start, seconds"
        {...named("health_start", begin)}
        inputMode="numeric"
        pattern={WHOLE}
        placeholder="0"
      />
      <Field
        label="Failures in a row"
        {...named("health_retries", begin)}
        inputMode="numeric"
        pattern={WHOLE}
        placeholder="3"
      />
    </div>
    <CheckField
      label="Restart it when it becomes unhealthy"
      name="health_restart"
      defaultChecked={begin?.health_restart === "on"}
    />
    <CheckField
      label="Run no check, also not that of its image"
      name="health_off"
      defaultChecked={begin?.health_off === "on"}
    />
  </>
);

/** What a new container can be given besides its image. Everything has a good standard, so that it is folded away at first. */
export const MoreSettings = (begins: Begin) => (
  <>
    <details className="same">
      <summary>Variables, ports, limits and labels</summary>
      <div className="fields">
        <EnvironmentFields {...begins} />
        <LimitFields {...begins} />
      </div>
    </details>
    <details className="same">
      <summary>Health check</summary>
      <div className="fields">
        <HealthFields {...begins} />
      </div>
    </details>
  </>
);
