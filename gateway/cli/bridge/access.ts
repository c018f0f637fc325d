/** Access of this agent to the gateway, from "nobody has decided" to an access token. */
import type { Clock } from '../../engine/ports/system.ts';
import { CliError } from '../cli-error.ts';
import { askUser, type Decision, type Question } from './ask-user.ts';
import { Away, type GatewayLine } from './gateway-line.ts';
import type { GrantKeeper } from './kept-grant.ts';
import { Refusal, type Tokens, tokenEndpoint } from './token-endpoint.ts';

type State = 'UNKNOWN' | 'UNDECIDED' | 'ASKING' | 'CONNECTED';
type Event = 'found' | 'none' | 'asked' | 'allowed' | 'denied' | 'lapsed' | 'lost';

/** UNKNOWN: no gateway has been reached yet. `found`: a kept grant works. */
const STATES: Readonly<Record<State, Partial<Readonly<Record<Event, State>>>>> = {
  UNKNOWN: { found: 'CONNECTED', none: 'UNDECIDED' },
  UNDECIDED: { found: 'CONNECTED', none: 'UNDECIDED', asked: 'ASKING' },
  ASKING: {
    found: 'CONNECTED',
    none: 'ASKING',
    allowed: 'CONNECTED',
    denied: 'UNDECIDED',
    lapsed: 'UNDECIDED',
  },
  CONNECTED: { found: 'CONNECTED', lost: 'UNDECIDED' },
};

/** The user has not allowed it. */
export class NotAllowed extends Error {}

export interface Access {
  readonly isConnected: boolean;
  /** A gateway has answered since the start. */
  readonly hasReached: boolean;
  /** The last time that the user was asked, the answer was no. */
  readonly wasDenied: boolean;
  /** Looks for a gateway and a kept grant. Rejects with nothing: what it finds is the state. */
  look(): Promise<void>;
  /** @throws Away NotAllowed */
  token(): Promise<string>;
  /** Another token than the one that was refused. @throws Away NotAllowed */
  renewed(refused: string): Promise<string>;
  /** The link of the question that is open, or of a new one. @throws Away */
  ask(): Promise<{ readonly link: string; readonly isNew: boolean }>;
  close(): void;
}

export interface AccessOptions {
  readonly name: string;
  readonly readOnly: boolean;
  readonly line: GatewayLine;
  readonly keeper: GrantKeeper;
  readonly clock: Clock;
  /** It may reach the gateway now, or not any more. */
  readonly changed: (isConnected: boolean) => void;
  readonly log: (text: string) => void;
}

/** A token is renewed so long before its end. */
const MARGIN_MS = 30_000;
/** Longer than the consent page is open. */
const QUESTION_MS = 15 * 60_000;
/** A grant that another process of this name was given is found so fast. */
const LOOK_AGAIN_MS = 2_000;
const SCOPES = { read: 'mcp:read', all: 'mcp:read mcp:write' };

export function createAccess(options: AccessOptions): Access {
  const { name, readOnly, line, keeper, clock, changed, log } = options;
  const endpoint = tokenEndpoint(line);
  const narrowed = readOnly ? SCOPES.read : undefined;
  let state: State = 'UNKNOWN';
  let wasDenied = false;
  let token: { readonly text: string; readonly until: number } | null = null;
  let renewing: Promise<string> | null = null;
  let asking: Promise<Question> | null = null;
  let looking: Promise<void> | null = null;
  let stopWaiting = () => {};
  let lookedAt = Number.NEGATIVE_INFINITY;

  function step(event: Event): void {
    const before = state;
    const next = STATES[state][event];
    if (next === undefined) return;
    state = next;
    if (before === 'ASKING' && state !== 'ASKING') endQuestion();
    if ((before === 'CONNECTED') !== (state === 'CONNECTED')) changed(state === 'CONNECTED');
  }

  function endQuestion(): void {
    stopWaiting();
    void asking?.then(
      (question) => question.close(),
      () => undefined,
    );
    asking = null;
  }

  function keep({ accessToken, livesForMs }: Tokens): string {
    token = { text: accessToken, until: clock.uptime() + livesForMs - MARGIN_MS };
    return accessToken;
  }

  /** Exchanges the kept refresh token. Both are replaced on disk before the new access token is used. */
  function refresh(): Promise<string> {
    renewing ??= keeper
      .alone(async (drawer) => {
        const kept = await drawer.get();
        if (kept === null) throw new NotAllowed('the user has not decided yet');
        try {
          const tokens = await endpoint.refresh(kept.clientId, kept.refreshToken, narrowed);
          await drawer.put({ clientId: kept.clientId, refreshToken: tokens.refreshToken });
          return keep(tokens);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          log(`the gateway does not know this agent any more (${error.message})`);
          await drawer.forget();
          throw new NotAllowed('the user has disconnected this agent');
        }
      })
      .then(
        (text) => {
          step('found');
          return text;
        },
        (error: unknown) => {
          if (error instanceof NotAllowed) {
            token = null;
            step(state === 'CONNECTED' ? 'lost' : 'none');
          }
          throw asAway(error);
        },
      )
      .finally(() => {
        renewing = null;
      });
    return renewing;
  }

  async function decided(decision: Decision): Promise<void> {
    if (decision.kind === 'allowed') {
      const { clientId, tokens } = decision;
      await keeper.alone((drawer) => drawer.put({ clientId, refreshToken: tokens.refreshToken }));
      keep(tokens);
      wasDenied = false;
      log('connected');
      step('allowed');
      return;
    }
    wasDenied = decision.kind === 'denied';
    log(decision.kind === 'denied' ? 'the user said no' : `not connected: ${decision.why}`);
    step('denied');
  }

  async function look(): Promise<void> {
    try {
      line.origin();
      await refresh();
    } catch (error) {
      if (!(error instanceof Away) && !(error instanceof NotAllowed)) throw error;
    } finally {
      if (state !== 'UNKNOWN') lookedAt = clock.uptime();
    }
  }

  return {
    get isConnected() {
      return state === 'CONNECTED';
    },
    get hasReached() {
      return state !== 'UNKNOWN';
    },
    get wasDenied() {
      return wasDenied;
    },
    async look() {
      if (looking !== null) return looking;
      if (state === 'CONNECTED' || clock.uptime() - lookedAt < LOOK_AGAIN_MS) return;
      looking = look().finally(() => {
        looking = null;
      });
      return looking;
    },
    async token() {
      if (token !== null && clock.uptime() < token.until) return token.text;
      return refresh();
    },
    async renewed(refused) {
      if (token !== null && token.text !== refused) return token.text;
      return refresh();
    },
    async ask() {
      const isNew = asking === null;
      asking ??= begin();
      const question = asking;
      try {
        const { link } = await question;
        return { link, isNew };
      } catch (error) {
        if (asking === question) asking = null;
        throw asAway(error);
      }
    },
    close: endQuestion,
  };

  async function begin(): Promise<Question> {
    const question = await askUser({
      name,
      scope: readOnly ? SCOPES.read : SCOPES.all,
      origin: line.origin(),
      endpoint,
      decided,
    });
    step('asked');
    stopWaiting = clock.after(QUESTION_MS, () => step('lapsed'));
    return question;
  }
}

/** Whatever keeps a token from being had is said to the agent's user; only bugs are thrown on. */
function asAway(error: unknown): unknown {
  if (error instanceof CliError) return new Away(error.message, false);
  return error instanceof Refusal ? new Away(error.message, false) : error;
}
