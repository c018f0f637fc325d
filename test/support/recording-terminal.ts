import type { Terminal } from '../../gateway/cli/terminal.ts';

export interface RecordingTerminal extends Terminal {
  readonly outLines: string[];
  readonly errLines: string[];
  /** Everything that was asked. */
  readonly questions: string[];
}

/** Keeps what is printed; answers questions from `typed`, in order. */
export function recordingTerminal(
  options: { readonly typed?: readonly string[]; readonly input?: string } = {},
): RecordingTerminal {
  const outLines: string[] = [];
  const errLines: string[] = [];
  const questions: string[] = [];
  const typed = [...(options.typed ?? [])];
  const answer = async (question: string) => {
    questions.push(question);
    const next = typed.shift();
    if (next === undefined) throw new Error(`nobody answers: ${question}`);
    return next;
  };
  return {
    outLines,
    errLines,
    questions,
    out: (line) => void outLines.push(line),
    err: (line) => void errLines.push(line),
    redraw: () => undefined,
    hasScreen: false,
    screen: () => undefined,
    interactive: false,
    canAsk: options.typed !== undefined,
    ask: answer,
    askSecret: answer,
    readInput: async () => options.input ?? '',
    async *input() {
      yield Buffer.from(options.input ?? '');
    },
  };
}
