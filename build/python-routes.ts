/** Routes of the OpenAPI document as Python: each an overload of the client, with the facts that the client needs. */
import {
  doc,
  HEAD,
  JSON_TYPE,
  MONEY,
  nameOf,
  type Operation,
  type Parameter,
  pascal,
  REF,
  type Schema,
  TIME,
  type Types,
  union,
} from './python-schemas.ts';
import { blocking } from './python-sync.ts';

/** Array in a route's answer: its property name, its row type, and the columns that hold money or times. */
interface List {
  readonly property: string;
  readonly row: string;
  readonly isPaged: boolean;
  readonly columns: readonly string[];
  readonly money: readonly string[];
  readonly times: readonly string[];
}

export class Route {
  readonly name: string;
  readonly summary: string;
  readonly isCallable: boolean;
  readonly account: 'needed' | 'taken' | 'none';
  readonly takesKey: boolean;
  readonly isPublic: boolean;
  readonly params: string | null;
  readonly query: string | null;
  readonly isQueryNeeded: boolean;
  readonly body: string | null;
  readonly isBodyNeeded: boolean;
  readonly answer: string;
  /** Answer type of the acknowledgement: that of the 202 where the route has one. */
  readonly placed: string;
  readonly list: List | null;

  constructor(name: string, operation: Operation, types: Types) {
    const base = pascal(operation.operationId);
    const { parameters = [], requestBody } = operation;
    this.name = name;
    this.summary = operation.summary;
    this.isPublic = operation.security.length === 0;
    const good = Object.entries(operation.responses).filter(([status]) => status < '300');
    this.isCallable =
      good.length > 0 && good.every(([, { content }]) => content === undefined || JSON_TYPE in content);
    const header = (wanted: string) =>
      parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === wanted);
    const account = header('x-trade-account-id');
    this.account = account === undefined ? 'none' : account.required === true ? 'needed' : 'taken';
    this.takesKey = header('idempotency-key') !== undefined;
    const part = (where: 'path' | 'query') => parameters.filter((one) => one.in === where);
    const inPath = part('path');
    const inQuery = part('query');
    this.isQueryNeeded = inQuery.some(({ required }) => required === true);
    const body = requestBody?.content?.[JSON_TYPE]?.schema;
    this.isBodyNeeded = requestBody?.required === true;
    if (!this.isCallable) {
      this.params = this.query = this.body = this.list = null;
      this.answer = this.placed = 'None';
      return;
    }
    this.params = inPath.length === 0 ? null : types.object(`${base}Params`, parametersAs(inPath));
    this.query = inQuery.length === 0 ? null : types.object(`${base}Query`, parametersAs(inQuery));
    this.body = body === undefined ? null : types.expression(body, `${base}Body`);
    const answers = good.map(([status, { content }]) => {
      const schema = content?.[JSON_TYPE]?.schema;
      const many = good.length > 1 ? status : '';
      return [
        status,
        schema === undefined ? 'None' : types.expression(schema, `${base}Answer${many}`),
      ] as const;
    });
    this.answer = union(answers.map(([, type]) => type));
    this.placed = answers.find(([status]) => status === '202')?.[1] ?? this.answer;
    const [[, only] = ['', {}]] = good;
    this.list = good.length === 1 ? listOf(only.content?.[JSON_TYPE]?.schema, `${base}Answer`, types) : null;
  }
}

/** Query parameters are sent as text. Numbers and booleans may be passed as such. */
function parametersAs(parameters: readonly Parameter[]): Schema {
  return {
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, lenient(schema)])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function lenient(schema: Schema): Schema {
  const { type, pattern = '', enum: values = [] } = schema;
  if (values.includes('true')) return { anyOf: [{ type: 'boolean' }, schema] };
  const isCount =
    type === 'integer' || type === 'number' || (type === 'string' && pattern.startsWith('^\\d'));
  return isCount ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : schema;
}

function listOf(schema: Schema | undefined, answer: string, types: Types): List | null {
  if (schema === undefined) return null;
  const { properties = {} } = types.resolved(schema);
  const isPaged = 'nextCursor' in properties;
  const others = Object.entries(properties).filter(([name]) => name !== 'nextCursor');
  // A page may also hold totals of all rows.
  const lists = isPaged ? others.filter(([, { type }]) => type === 'array') : others;
  const [[property, list] = ['', {}]] = lists;
  if (lists.length !== 1 || list.type !== 'array' || list.items === undefined) return null;
  const owner = schema.$ref === undefined ? answer : nameOf(schema.$ref.slice(REF.length));
  const columns = Object.entries(types.resolved(list.items).properties ?? {});
  const typed = (wanted: string) =>
    columns
      .filter(([, value]) => union2(value, types).includes(wanted))
      .map(([name]) => name)
      .sort();
  return {
    property,
    row: types.expression(list.items, `${owner}${pascal(property)}Item`),
    isPaged,
    columns: columns.map(([name]) => name),
    money: typed(MONEY),
    times: typed(TIME),
  };
}

/** Names of the referred types of a column, which may be absent or null. */
function union2({ $ref, anyOf = [] }: Schema, types: Types): readonly string[] {
  return $ref === undefined ? anyOf.flatMap((one) => union2(one, types)) : [nameOf($ref.slice(REF.length))];
}

const OPTIONAL = ' | None = None';

/** Parameters of a method after the route's name, in the order of its signature. */
function inputs(route: Route, withKey: boolean): readonly string[] {
  return [
    ...(route.params === null ? [] : [`params: s.${route.params}`]),
    ...(route.query === null ? [] : [`query: s.${route.query}${route.isQueryNeeded ? '' : OPTIONAL}`]),
    ...(route.body === null ? [] : [`body: ${qualified(route.body)}${route.isBodyNeeded ? '' : OPTIONAL}`]),
    ...(route.account === 'none' ? [] : [`account: str${OPTIONAL}`]),
    `timeout: float${OPTIONAL}`,
    ...(withKey ? [`idempotency_key: str${OPTIONAL}`] : []),
  ];
}

const BUILT_IN = new Set(['None', 'Any', 'Literal', 'list', 'dict', 'str', 'int', 'float', 'bool']);
/** The types of the schemas' module under its short name. */
const qualified = (type: string) =>
  type.replace(/"[^"]*"|[A-Za-z_]\w*/g, (word) =>
    word.startsWith('"') || BUILT_IN.has(word) ? word : `s.${word}`,
  );

interface Method {
  readonly name: string;
  readonly route: Route;
  readonly inputs: readonly string[];
  readonly answer: string;
  readonly isAwaited: boolean;
}

function overload({ name, route, inputs: given, answer, isAwaited }: Method): string {
  const lines = [`self, route: Literal["${route.name}"], *`, ...given].join(', ');
  return [
    '    @overload',
    `    ${isAwaited ? 'async ' : ''}def ${name}(${lines}) -> ${answer}:`,
    `        """${doc(route.summary)}."""`,
  ].join('\n');
}

const GIVEN =
  '``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.';
/** Docstring of each method, shown by `help()`. Type checkers read the overloads instead. */
const HELP: Readonly<Record<string, readonly string[]>> = {
  call: [
    'One request, by the name of its route: ``call("GET /positions/{id}", params={"id": id})``.',
    GIVEN,
    'Tried once: while the gateway restarts it ends with ``GatewayUnreachable`` at once.',
  ],
  place: [
    'Places an order once, whatever is lost on the way. The answer says that it is on disk, not that it is filled: see ``ended``.',
    GIVEN,
    '``idempotency_key``: default a random one; a key of your own, written down before, lets a program that died go on. A key belongs to one attempt: sent again within 24 hours it gets the first answer, also where that order failed.',
    '``give_up_after``: seconds without an answer, default 60. Raises a ``Refusal`` when the gateway refuses (``ResourceBusy``: another action runs; wait for it and send again, the same key may be used); ``GatewayUnreachable`` when nothing was sent; ``OutcomeUnknown`` when it is not known.',
  ],
  rows: [
    'The rows of a list, to the last page; ``to_frame()`` makes a pandas table of them.',
    GIVEN,
    '``limit`` in ``query`` is the size of a page, not of the whole.',
  ],
  pages: ['The pages of a list, from ``cursor`` (or the beginning) to the last.', GIVEN],
};

function methods(routes: readonly Route[]): string {
  const groups: readonly (readonly Method[])[] = [
    routes.map((route) => ({
      ...{ name: 'call', route, inputs: inputs(route, route.takesKey) },
      ...{ answer: qualified(route.answer), isAwaited: true },
    })),
    routes
      .filter(({ takesKey }) => takesKey)
      .map((route) => ({
        ...{ name: 'place', route, inputs: [...inputs(route, true), `give_up_after: float${OPTIONAL}`] },
        ...{ answer: qualified(route.placed), isAwaited: true },
      })),
    routes.flatMap((route) => {
      const row = route.list?.row;
      // Only lists of GET routes can be paged through: other routes do something.
      if (row === undefined || !route.name.startsWith('GET ')) return [];
      const answer = `AsyncRows[${qualified(row)}]`;
      return [{ name: 'rows', route, inputs: inputs(route, false), answer, isAwaited: false }];
    }),
    routes
      .filter(({ list }) => list?.isPaged === true)
      .map((route) => ({
        ...{ name: 'pages', route, inputs: inputs(route, false) },
        ...{ answer: `AsyncPages[${qualified(route.answer)}]`, isAwaited: false },
      })),
  ];
  return groups
    .map((group) => {
      const [first] = group;
      if (first === undefined) return '';
      const prefix = first.isAwaited ? 'async ' : '';
      const wait = first.isAwaited ? 'await ' : '';
      return [
        ...group.map(overload),
        `    ${prefix}def ${first.name}(self, route: str, **given: Any) -> Any:`,
        `        """${(HELP[first.name] ?? []).join('\n\n        ')}\n        """`,
        `        return ${wait}self._${first.name}(route, given)`,
        `    ${prefix}def _${first.name}(self, route: str, given: dict[str, Any]) -> Any:`,
        '        raise NotImplementedError',
      ].join('\n\n');
    })
    .join('\n\n');
}

export function routesModule(routes: readonly Route[]): string {
  const columns = (names: readonly string[]) =>
    `(${names.map((name) => `"${name}", `).join('')})`.replace(', )', ',)');
  const table = routes.map(({ name, account, takesKey, isPublic, list }) => {
    const facts = [
      ...(isPublic ? ['is_public=True'] : []),
      ...(account === 'none' ? [] : ['takes_account=True']),
      ...(account === 'needed' ? ['needs_account=True'] : []),
      ...(takesKey ? ['takes_key=True'] : []),
      ...(list === null ? [] : [`rows="${list.property}"`]),
      ...(list === null || list.columns.length === 0 ? [] : [`columns=${columns(list.columns)}`]),
      ...(list === null || list.money.length === 0 ? [] : [`money=${columns(list.money)}`]),
      ...(list === null || list.times.length === 0 ? [] : [`times=${columns(list.times)}`]),
    ];
    return `    "${name}": RouteFacts(${facts.join(', ')}),`;
  });
  const asyncRoutes = `class AsyncRoutes:\n${methods(routes)}\n`;
  return `${HEAD('Every route by its name: what the client has to know of it, and its types.')}
from collections.abc import Mapping
from typing import Any, Literal, overload

from . import schemas as s
from ._async_lists import AsyncPages, AsyncRows
from ._route_facts import RouteFacts
from ._sync_lists import Pages, Rows

ROUTES: Mapping[str, RouteFacts] = {
${table.join('\n')}
}


${blocking(asyncRoutes)}

${asyncRoutes}`;
}
