/** Signs the user in for the key commands. The password comes from a prompt, TANDEM_PASSWORD or standard input. */
import { readFileSync } from 'node:fs';
import { anonymous } from '../client/credentials.ts';
import { Refusal, Unauthorized } from '../client/errors.ts';
import type { Call } from '../client/route-types.ts';
import { setupCodeFile } from '../config.ts';
import { read } from './answers.ts';
import { CliError, usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { createGatewayApi } from './gateway-api.ts';
import type { FlagSpec } from './parse-flags.ts';
import { dataDirFor, trustedGateway } from './reach-gateway.ts';

export const EMAIL_FLAG: FlagSpec = {
  name: '--email',
  fields: ['email'],
  kind: 'text',
  value: '<address>',
  help: 'Your user; the password is asked for, or read from TANDEM_PASSWORD or standard input',
};

/** Message of `POST /auth/register` when registration is closed. */
const CLOSED = 'Registration is closed';
const PASSWORD_LEAST = 10;
const PASSWORD_MOST = 128;

interface SignedIn {
  readonly call: Call;
  /** As it was typed or given; for what asks for it once more. */
  readonly password: string;
  /** True: this sign-in made the user. */
  readonly registered: boolean;
}

/**
 * Runs `work` inside a session that is ended afterwards. With `mayRegister`, an address that cannot sign in is registered
 * where the gateway lets it: by default only the first user of a gateway.
 */
export async function withSession<T>(
  context: CommandContext,
  mayRegister: boolean,
  work: (session: SignedIn) => Promise<T>,
  passwordFrom: (context: CommandContext) => Promise<string> = passwordOf,
): Promise<T> {
  const gateway = trustedGateway(context);
  const stranger = createGatewayApi(gateway);
  // A call before the user is asked anything, so that an unreachable gateway is reported at once.
  await stranger.call('GET /health');
  const email = await emailOf(context);
  const password = await passwordFrom(context);
  const { token, registered } = await signInOrRegister(context, stranger.call, email, password, mayRegister);
  const headers = { authorization: `Bearer ${token}` };
  const { call } = createGatewayApi({ ...gateway, credentials: { ...anonymous, headers: () => headers } });
  try {
    return await work({ call, registered, password });
  } finally {
    // The session is no longer needed; if ending it fails, it expires by itself.
    await call('POST /auth/logout').catch(() => null);
  }
}

async function signInOrRegister(
  context: CommandContext,
  call: Call,
  email: string,
  password: string,
  mayRegister: boolean,
): Promise<{ token: string; registered: boolean }> {
  try {
    const answer = await call('POST /auth/login', { body: { method: 'email', email, password } });
    return { token: read('POST /auth/login', answer).accessToken, registered: false };
  } catch (error) {
    if (!(error instanceof CliError && error.cause instanceof Unauthorized)) throw error;
    if (!mayRegister) throw new CliError('wrong email or password');
  }
  if (password.length < PASSWORD_LEAST || password.length > PASSWORD_MOST) {
    throw usage(
      `wrong email or password (a new user's password has ${PASSWORD_LEAST} to ${PASSWORD_MOST} characters)`,
    );
  }
  if (context.terminal.canAsk && !context.env['TANDEM_PASSWORD']) {
    const yes = await context.terminal.ask(
      `No user signs in as ${email} with that password. Create this user? [y/N] `,
    );
    if (!/^y(es)?$/i.test(yes.trim())) throw new CliError('wrong email or password');
    const again = await context.terminal.askSecret('Password again: ');
    if (again !== password) throw new CliError('the two passwords differ');
  }
  try {
    const setupCode = setupCodeIn(dataDirFor(context));
    const answer = await call('POST /auth/register', {
      body: { email, password, ...(setupCode === null ? {} : { setupCode }) },
    });
    return { token: read('POST /auth/register', answer).accessToken, registered: true };
  } catch (error) {
    // Registration is closed because the gateway has its user, so the email or the password was wrong.
    const isClosed =
      error instanceof CliError && error.cause instanceof Refusal && error.cause.message === CLOSED;
    throw isClosed ? new CliError('wrong email or password') : error;
  }
}

/** null: no setup code is needed, or its file is in another folder. */
function setupCodeIn(dataDir: string): string | null {
  try {
    return readFileSync(setupCodeFile(dataDir), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/**
 * As `withSession`, with a password that a person types at a terminal. An agent with a shell could set TANDEM_PASSWORD or
 * send standard input; what a person has to decide takes neither.
 */
export function withPerson<T>(context: CommandContext, work: (session: SignedIn) => Promise<T>): Promise<T> {
  if (context.env['TANDEM_PASSWORD']) {
    throw usage(
      'TANDEM_PASSWORD is not taken here: a person types the password. Unset it and run this again',
    );
  }
  if (!context.terminal.canAsk) {
    throw usage('the password is read from a terminal only, and this is none: a person has to type it');
  }
  return withSession(context, false, work, ({ terminal }) => terminal.askSecret('Password: '));
}

async function emailOf(context: CommandContext): Promise<string> {
  const given = context.flags.texts.get('--email') ?? context.env['TANDEM_EMAIL'];
  if (given) return given;
  if (!context.terminal.canAsk) throw usage('--email is needed when nobody can be asked');
  const typed = (await context.terminal.ask('Email: ')).trim();
  if (typed === '') throw usage('an email address is needed');
  return typed;
}

async function passwordOf(context: CommandContext): Promise<string> {
  const fromEnvironment = context.env['TANDEM_PASSWORD'];
  if (fromEnvironment) return fromEnvironment;
  if (context.terminal.canAsk) return context.terminal.askSecret('Password: ');
  const input = (await context.terminal.readInput()).replace(/\r?\n$/, '');
  if (input === '') throw usage('no password: set TANDEM_PASSWORD or pipe it to standard input');
  return input;
}
