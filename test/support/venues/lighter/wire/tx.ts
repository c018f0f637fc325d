/** A transaction as it was sent: read, hashed and its signature checked. */
import { hashToQuintic } from '../curve/poseidon.ts';
import { type Quintic, toBytes } from '../curve/quintic.ts';
import { isSignedBy } from '../curve/schnorr.ts';
import { kindOf, SHAPES, type TxKind, type TxOf } from './tx-shapes.ts';

export type Network = 'mainnet' | 'testnet';

export const CHAINS: Readonly<Record<Network, number>> = { mainnet: 304, testnet: 300 };

/** Attributes of a transaction, by number. */
export const ATTRIBUTES = {
  integrator: 1,
  integratorTakerFee: 2,
  integratorMakerFee: 3,
  skipNonce: 4,
};

const PAIRS = 4;
/** Smallest and largest value of an attribute, by its number. */
const RANGES: Readonly<Record<number, readonly [number, number]>> = {
  ...{ 1: [0, 2 ** 48 - 2], 2: [0, 1_000_000], 3: [0, 1_000_000], 4: [1, 1] },
};
const UNSIGNED = Buffer.alloc(80).toString('base64');

type Body = { [K in TxKind]: { readonly kind: K; readonly fields: TxOf<K> } }[TxKind];

export type Tx = Body & {
  readonly type: number;
  readonly account: number;
  readonly apiKey: number;
  readonly nonce: number;
  readonly expiredAt: number;
  readonly attributes: ReadonlyMap<number, number>;
  /** The whole object, as JSON. */
  readonly info: string;
  /** 80 hexadecimal digits. */
  readonly hash: string;
  isSignedBy(publicKey: Uint8Array): boolean;
};

/** `type`: the venue has no such transaction; `info`: its fields are not those of one. */
export type Unreadable = 'type' | 'info';

export function readTx(network: Network, type: number, info: unknown): Tx | Unreadable {
  const kind = kindOf(type);
  if (kind === undefined) return 'type';
  const given = typeof info === 'string' ? parsed(info) : info;
  const read = SHAPES[kind].fields.safeParse(given);
  if (!read.success) return 'info';
  const fields = read.data;
  const attributes = attributesOf(fields);
  if (!areAttributes(attributes)) return 'info';
  const account = accountOf(fields);
  const message = hashed(network, kind, fields);
  const body = { kind, fields } as Body;
  return {
    ...body,
    ...{ type, account, attributes, apiKey: fields.ApiKeyIndex, nonce: fields.Nonce },
    expiredAt: fields.ExpiredAt,
    info: typeof info === 'string' ? info : JSON.stringify(info),
    hash: toBytes(message).toString('hex'),
    isSignedBy: (publicKey) => isSignedBy(publicKey, message, fields.Sig),
  };
}

/** Message to sign of a transaction. @param body without its signature. @throws if it is no transaction */
export function messageOf(network: Network, kind: TxKind, body: object): Quintic {
  return hashed(network, kind, SHAPES[kind].fields.parse({ ...body, Sig: UNSIGNED }));
}

function accountOf(fields: TxOf<TxKind>): number {
  return 'AccountIndex' in fields ? fields.AccountIndex : fields.FromAccountIndex;
}

function attributesOf({ L2TxAttributes }: TxOf<TxKind>): ReadonlyMap<number, number> {
  return new Map(Object.entries(L2TxAttributes ?? {}).map(([name, value]) => [Number(name), value]));
}

function areAttributes(attributes: ReadonlyMap<number, number>): boolean {
  const set = (name: number) => (attributes.get(name) ?? 0) !== 0;
  const hasFees = set(ATTRIBUTES.integratorTakerFee) || set(ATTRIBUTES.integratorMakerFee);
  if (attributes.size > PAIRS || (hasFees && !set(ATTRIBUTES.integrator))) return false;
  return [...attributes].every(([name, value]) => {
    const [least, most] = RANGES[name] ?? [0, -1];
    return value >= least && value <= most;
  });
}

/** Chain, type, nonce, expiry, account, key and the rest are hashed, then the attributes, where there are any. */
function hashed<K extends TxKind>(network: Network, kind: K, fields: TxOf<K>): Quintic {
  const rest = SHAPES[kind].hashed as (tx: TxOf<K>) => readonly (number | bigint)[];
  const numbers = [
    ...[CHAINS[network], SHAPES[kind].type, fields.Nonce, fields.ExpiredAt, accountOf(fields)],
    ...[fields.ApiKeyIndex, ...rest(fields)],
  ];
  const plain = hashToQuintic(numbers.map(BigInt));
  const set = [...attributesOf(fields)].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  if (set.length === 0) return plain;
  const pairs = [...set.flat(), ...new Array(2 * (PAIRS - set.length)).fill(0)];
  return hashToQuintic([...plain, ...hashToQuintic(pairs.map(BigInt))]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
