import { isIPv4 } from "node:net";

/** Containers' addresses: plain IPv4 arithmetic, and a pool that never gives one address to two containers. */

/** The widest subnet; a wider one is surely a mistake. */
const PREFIX_MIN = 8;
const PREFIX_MAX = 29;

/** Whether a text is an IPv4 address, or a network in CIDR form. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix = "32", ...rest] = text.split("/");
  return rest.length === 0 && isIPv4(address) && /^(?:[0-9]|[12][0-9]|3[0-2])$/.test(prefix);
}

export class AddressPool {
  /** The host's own address towards its containers: the subnet's first. */
  readonly gateway: string;
  /** The host's own address from which its edge connects to containers: the subnet's last. Their firewalls let it in. */
  readonly edge: string;
  readonly subnet: string;
  readonly #first: number;
  readonly #last: number;
  readonly #taken = new Set<number>();
  /** Callers that wait for an address, first come first served, with their callback. */
  readonly #waiting = new Map<string, () => void>();
  #next: number;

  /**
   * @param subnet IPv4 in CIDR form with the host bits zero, such as 10.77.0.0/16
   * @throws RangeError when it is anything else
   */
  constructor(subnet: string) {
    const [base = "", length = "", ...rest] = subnet.split("/");
    const prefix = Number(length);
    const valid =
      rest.length === 0 &&
      isIPv4(base) &&
      /^[1-9][0-9]?$/.test(length) &&
      prefix >= PREFIX_MIN &&
      prefix <= PREFIX_MAX &&
      toNumber(base) % 2 ** (32 - prefix) === 0;
    if (!valid) {
      throw new RangeError(
        `not a subnet: ${subnet}; use CIDR form with a prefix of ${PREFIX_MIN} to ${PREFIX_MAX}, such as 10.77.0.0/16`,
      );
    }
    const start = toNumber(base);
    this.subnet = subnet;
    this.gateway = toText(start + 1);
    this.edge = toText(start + 2 ** (32 - prefix) - 1);
    this.#first = start + 2;
    this.#last = start + 2 ** (32 - prefix) - 2;
    this.#next = this.#first;
  }

  /**
   * An address that no container has. A freed address is used again as late as possible, so that late packets of its
   * former holder do not reach a new one.
   *
   * @throws RangeError when all are taken
   */
  allocate(): string {
    const size = this.#last - this.#first + 1;
    for (let step = 0; step < size; step += 1) {
      const candidate = this.#first + ((this.#next - this.#first + step) % size);
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      this.#next = candidate + 1;
      return toText(candidate);
    }
    throw new RangeError(`no address is left in ${this.subnet}`);
  }

  /** Reserves an address that a container already has. False: another container has it, or it is not in this subnet. */
  reserve(address: string): boolean {
    const number = isIPv4(address) ? toNumber(address) : -1;
    if (number < this.#first || number > this.#last || this.#taken.has(number)) return false;
    this.#taken.add(number);
    this.#next = Math.max(this.#next, number + 1);
    return true;
  }

  release(address: string): void {
    if (isIPv4(address)) this.#taken.delete(toNumber(address));
    this.#notifyWaiting();
  }

  /**
   * Allocates an address in the order of the requests.
   * @param onAvailable called, perhaps repeatedly, when it is the caller's turn after a result of null; the caller
   * then asks again
   * @returns null when no address is left for the caller
   */
  allocateInTurn(who: string, onAvailable: () => void): string | null {
    this.#waiting.set(who, onAvailable);
    const ahead = [...this.#waiting.keys()].indexOf(who);
    if (ahead >= this.#free) return null;
    this.#waiting.delete(who);
    return this.allocate();
  }

  /** Removes a caller that needs no address any more from the queue. */
  cancelRequest(who: string): void {
    if (this.#waiting.delete(who)) this.#notifyWaiting();
  }

  get #free(): number {
    return this.#last - this.#first + 1 - this.#taken.size;
  }

  #notifyWaiting(): void {
    for (const comeAgain of [...this.#waiting.values()].slice(0, this.#free)) comeAgain();
  }
}

function toNumber(address: string): number {
  return address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

function toText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}
