import { File, type Setting, Whole } from "./setting.ts";

/** How long rows and files are kept that grow with time. */
export const retention: readonly Setting[] = [
  {
    name: "BERTH_KEEP_EVENTS_DAYS",
    roles: ["actors"],
    type: Whole(0, 3_650),
    standard: "0",
    meaning:
      "how many days events are kept; 0: until an administrator deletes them. Once a day everybody's older events are deleted, and a longer time later brings none back",
  },
  {
    name: "BERTH_ARCHIVE_FOLDER",
    roles: ["actors"],
    type: File,
    meaning:
      "an existing folder into which events are written before they are deleted for their age ([archive](operations.md#the-archive-of-events)); without it nothing is written. All actor hosts have the setting, or only those that can reach the folder",
  },
  {
    name: "BERTH_KEEP_CLIENT_RECEIPTS_DAYS",
    roles: ["actors"],
    type: Whole(0, 3_650),
    standard: "0",
    meaning:
      "how many days receipts of clients' own keys are kept, 30 or more; 0: for good. *A request that is repeated under its key after that time acts again*: longer than any client retries",
  },
  {
    name: "BERTH_KEEP_AUDIT_DAYS",
    roles: ["actors"],
    type: Whole(0, 3_650),
    standard: "0",
    meaning: "how many days entries of the audit log are kept, 90 or more; 0: for good",
  },
  {
    name: "BERTH_KEEP_NOTIFICATIONS_DAYS",
    roles: ["actors"],
    type: Whole(0, 3_650),
    standard: "0",
    meaning:
      "how many days notifications are kept, read or not, 30 or more; 0: until their user deletes them",
  },
  {
    name: "BERTH_KEEP_RECEIPTS_HOURS",
    roles: ["actors"],
    type: Whole(1, 8_760),
    standard: "24",
    meaning: "how long receipts under keys that gateways minted are kept",
  },
  {
    name: "BERTH_KEEP_EFFECTS_HOURS",
    roles: ["actors"],
    type: Whole(1, 8_760),
    standard: "24",
    meaning: "how long delivered rows of the outbox are kept: so long a lost JetStream can be filled again",
  },
  {
    name: "BERTH_KEEP_DELIVERIES_HOURS",
    roles: ["actors"],
    type: Whole(2, 8_760),
    standard: "168",
    meaning:
      "how long deliveries of webhooks, and mails, that ended stay in their log, at least an hour longer than `BERTH_KEEP_EFFECTS_HOURS`",
  },
  {
    name: "BERTH_KEEP_METRICS_DAYS",
    roles: ["agent"],
    type: Whole(1, 366),
    standard: "31",
    meaning:
      "how many days the host keeps the means of 5 minutes of what it and its containers have used, some 60 kB a day for each container",
  },
  {
    name: "BERTH_KEEP_ACCESS_LOGS_DAYS",
    roles: ["agent"],
    type: Whole(1, 366),
    standard: "30",
    meaning:
      "after how many days without a request the access log of a name of the edge is deleted; its size is bounded in any case",
  },
];
