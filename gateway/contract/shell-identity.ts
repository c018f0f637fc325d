/** Headers and proof by which the desktop app and its gateway recognise each other over HTTP. */

/** Origin of the dashboard inside the desktop app. */
export const SHELL_ORIGIN = 'app://tandem';

/** Header of `GET /health`, in request and answer: the gateway proves that it is the one that reported ready. */
export const CHALLENGE_HEADER = 'x-tandem-challenge';
export const PROOF_HEADER = 'x-tandem-proof';

/**
 * Text whose HMAC proves the gateway's identity. `port` is the port that the app connected to. So a program on
 * another port cannot pass the challenge on to the gateway and return the gateway's proof as its own.
 */
export function provenText(challenge: string, port: number): string {
  return `${challenge}:${port}`;
}

/** Header with the first user's set-up code; the desktop app adds it for its page, which does not know the code. */
export const SETUP_CODE_HEADER = 'x-tandem-setup-code';
