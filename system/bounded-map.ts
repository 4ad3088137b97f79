/** A map that drops its oldest entries beyond a maximum number. Setting a key makes it the newest one. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  /** @param onEvicted called with each key that was dropped to make room */
  constructor(
    private readonly max: number,
    private readonly onEvicted: (key: Key) => void = () => undefined,
  ) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.max) break;
      this.delete(oldest);
      this.onEvicted(oldest);
    }
    return this;
  }
}
