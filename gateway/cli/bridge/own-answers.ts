/** Answers of the bridge itself, while there is no grant or no gateway. */
import { type Fields, isFields, type Request, SERVER_INFO_KEY } from './messages.ts';

export const CONNECT_TOOL = 'connect_tandem';
export const LATEST_OF_2025 = '2025-11-25';
const REVISIONS_OF_2025 = ['2024-11-05', '2025-03-26', '2025-06-18', LATEST_OF_2025];
const MODERN_REVISION = '2026-07-28';

const INSTRUCTIONS = `Tandem trades pairs and baskets of perpetuals. Its user has not connected you yet, or it does not run: call ${CONNECT_TOOL} and tell the user what it says.`;
/** Lists can change at any time, so nobody keeps them. */
const NOT_KEPT = { ttlMs: 0, cacheScope: 'private' };
/** The bridge tells of changes whatever the gateway does, because what it offers itself changes. */
export const LISTS_CHANGE = { listChanged: true };
const CAPABILITIES = { tools: LISTS_CHANGE, resources: LISTS_CHANGE, prompts: LISTS_CHANGE };

/** Tools that change something: whether they did is not known when their answer is lost. */
const CHANGES_SOMETHING = new Set(['place_order', 'set_alert', 'change_alert', 'cancel', 'pause_me']);

const LISTED_CONNECT_TOOL = {
  name: CONNECT_TOOL,
  title: 'Connect Tandem',
  description:
    'Asks the user to connect you to Tandem: opens its consent page, on which the user decides what you may do. Says where things stand when it is called again.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  annotations: {
    title: 'Connect Tandem',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export function ownAnswers(version: string) {
  const serverInfo = { name: 'tandem', title: 'Tandem', version };
  const answer = ({ id, revision }: Request, result: Fields): Fields => ({
    jsonrpc: '2.0',
    id,
    result:
      revision === null
        ? result
        : {
            ...result,
            resultType: 'complete',
            _meta: { ...(isFields(result['_meta']) ? result['_meta'] : {}), [SERVER_INFO_KEY]: serverInfo },
          },
  });
  const list = (request: Request, result: Fields) =>
    answer(request, request.revision === null ? result : { ...result, ...NOT_KEPT });

  return {
    answer,
    initialize(request: Request): Fields {
      const asked = request.params['protocolVersion'];
      const protocolVersion = REVISIONS_OF_2025.find((known) => known === asked) ?? LATEST_OF_2025;
      return answer(request, {
        protocolVersion,
        capabilities: CAPABILITIES,
        serverInfo,
        instructions: INSTRUCTIONS,
      });
    },
    discover: (request: Request) =>
      list(request, {
        supportedVersions: [MODERN_REVISION],
        capabilities: { ...CAPABILITIES, resources: { ...LISTS_CHANGE, subscribe: true } },
        instructions: INSTRUCTIONS,
      }),
    tools: (request: Request) => list(request, { tools: [LISTED_CONNECT_TOOL] }),
    /** A list of which there is nothing yet; null: the method is not one of them. */
    emptyList(request: Request): Fields | null {
      const field = EMPTY_LISTS[request.method];
      return field === undefined ? null : list(request, { [field]: [] });
    },
    said: (request: Request, text: string, isError = false) =>
      answer(request, { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) }),
    fault(request: Request, code: string, happened: string, nothingOrdered: boolean, todo: string): Fields {
      const error = {
        code,
        happened,
        nothing_was_ordered: nothingOrdered,
        fields: [],
        limits: [],
        do: todo,
      };
      const lines = [
        `NOT DONE (${code}): ${happened}`,
        ...(nothingOrdered ? ['Nothing was ordered.'] : ['IT IS NOT KNOWN whether anything was done.']),
        `Next: ${todo}`,
      ];
      return answer(request, {
        content: [{ type: 'text', text: lines.join('\n') }],
        structuredContent: { error },
        isError: true,
      });
    },
  };
}
export type OwnAnswers = ReturnType<typeof ownAnswers>;

const EMPTY_LISTS: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** @param maybeSent whether the call may have reached the gateway */
export function awayFault(own: OwnAnswers, request: Request, why: string, maybeSent: boolean): Fields {
  const isOpen = maybeSent && CHANGES_SOMETHING.has(String(request.params['name']));
  if (!isOpen)
    return own.fault(
      request,
      'GATEWAY_AWAY',
      `Tandem does not answer: ${why}`,
      true,
      'Tell the user. Call again when Tandem runs: nothing needs to be set up anew.',
    );
  return own.fault(
    request,
    'OUTCOME_UNKNOWN',
    `Tandem was asked and its answer was lost: ${why}`,
    false,
    request.params['name'] === 'place_order'
      ? 'Do not preview anew and do not order anything else. When Tandem runs again, call get_status with the preview_id: it says what became of it.'
      : 'Do not send anything else. When Tandem runs again, look at it with get_status or whoami.',
  );
}

export function notAllowedFault(own: OwnAnswers, request: Request, why: string): Fields {
  return own.fault(
    request,
    'NOT_CONNECTED',
    `You are not connected to Tandem: ${why}`,
    true,
    `Call ${CONNECT_TOOL} and tell the user what it says.`,
  );
}
