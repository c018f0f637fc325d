/** How the desktop app and its gateway know each other over HTTP. */

/** Origin of the dashboard inside the desktop app. */
export const SHELL_ORIGIN = 'app://tandem';

/** Request and answer header of `GET /health` by which a gateway proves that it is the one that said it was ready. */
export const CHALLENGE_HEADER = 'x-tandem-challenge';
export const PROOF_HEADER = 'x-tandem-proof';

/**
 * What the proof is the HMAC of. The port is the one that was connected to: a program on another one cannot pass the
 * challenge on to the gateway and the proof back.
 */
export function provenText(challenge: string, port: number): string {
  return `${challenge}:${port}`;
}

/** Sent by the desktop app for its page, which does not know the code that the first user needs. */
export const SETUP_CODE_HEADER = 'x-tandem-setup-code';
