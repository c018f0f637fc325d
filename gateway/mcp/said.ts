/** Answer of a tool. */

/** `text`: what the tool says in words, its first line the most important; strangers' texts never stand in it. */
export interface Said<Out> {
  readonly data: Out;
  readonly text: string;
  /** The tool did not do what it was asked for. */
  readonly isError?: boolean;
}
