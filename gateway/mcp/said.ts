/** Answer of a tool. */

/** `text`: the answer in words, its first line the most important; strangers' texts never stand in it. */
export interface Said<Out> {
  readonly data: Out;
  readonly text: string;
  /** The tool could not do its task. */
  readonly isError?: boolean;
}
