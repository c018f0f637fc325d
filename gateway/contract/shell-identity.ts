/** Headers and proof by which the desktop app and its gateway recognise each other over HTTP. */

/** Origin of the dashboard inside the desktop app. */
export const SHELL_ORIGIN = 'app://tandem';

/** Header of `GET /health`, in request and answer: the gateway proves that it is the one that reported ready. */
export const CHALLENGE_HEADER = 'x-tandem-challenge';
export const PROOF_HEADER = 'x-tandem-proof';

/**
 * Text whose HMAC is the proof. `port` is the port that the app connected to: a program on another port cannot relay
 * the challenge to the gateway and the proof back.
 */
export function provenText(challenge: string, port: number): string {
  return `${challenge}:${port}`;
}

/** Header with the first user's set-up code; the desktop app adds it for its page, which does not know the code. */
export const SETUP_CODE_HEADER = 'x-tandem-setup-code';
