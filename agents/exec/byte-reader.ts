/** The reader of a stream of bytes, of whose form Bun's and Node's types have different opinions. */
export interface ByteReader<Bytes extends Uint8Array = Uint8Array> {
  read(): Promise<{ readonly value?: Bytes | undefined }>;
  cancel(): Promise<void>;
}
