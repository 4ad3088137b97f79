/** What the operations of a tag are about. */
const TAGS: Readonly<Record<string, string>> = {
  Accounts: "Sign up, sign in and out, and see your account, its sessions and its quotas.",
  Administration:
    "For operators: stock, offers, the catalogue of images, payments to review, and the cluster.",
  Callbacks: "Where payment processors report what became of a payment. Each callback is signed.",
  "Code host": "Link an identity at a code host, and claim the bonus for it.",
  Containers: "Create containers on your servers, start and stop them, and enter their services.",
  Credentials: "API tokens for programs, and short sessions that reach less than an account login.",
  Events: "What happened to your things: a log to search, and a stream that tells it at once.",
  Firewall:
    "Which connections may enter and leave a container. The host enforces it outside of the container.",
  Health: "Whether this process responds, and whether it can serve requests.",
  Images: "The catalogue of images, those that you have, and their ratings.",
  Invoices: "Invoices of your transactions, as data and as PDF.",
  Marketplace: "Servers that can be rented now, and offers that can be reserved.",
  Notifications: "Messages of the operator to you or to all users.",
  "Payment methods": "Cards and crypto addresses that are saved for top-ups.",
  Pools: "Share servers with other users, each with a role.",
  Projects: "Containers belong to projects.",
  "Proxy aliases": "Short names under which a container's programs are reached from the internet.",
  Rentals: "Servers that you rent: their use, their end, and moving it.",
  Reservations: "Servers that you have ordered and paid, and that are being delivered.",
  "Second factor": "Codes of an app, passkeys and recovery codes beside the password.",
  "Storage shares":
    "Files that outlive containers: create and grow them, mount them, snapshot and restore them.",
  "Top-ups": "Put money into the wallet by card or crypto.",
  Webhooks: "Have events sent to an address of yours, signed, in order and again until they arrive.",
  Wallet: "Balances, transfers to AI credit, and every transaction.",
};

export const describeTag = (name: string): string => TAGS[name] ?? `Operations of ${name.toLowerCase()}.`;
