/** The venue's codes and words of refusal. 21100, 21109, 21120, 20001 and 20013 stand in reports of its users only. */

export interface Refusal {
  readonly code: number;
  readonly message: string;
}

export const REFUSALS = {
  account: { code: 21100, message: 'account not found' },
  nonce: { code: 21104, message: 'invalid nonce' },
  batchNonces: { code: 21105, message: 'batch nonces must be consecutive' },
  publicKey: { code: 21108, message: 'invalid PublicKey, please run changePubKey' },
  apiKey: { code: 21109, message: 'api key not found' },
  signature: { code: 21120, message: 'invalid signature' },
  integrator: { code: 21149, message: 'integrator not approved' },
  txNotFound: { code: 21500, message: 'transaction not found' },
  txInfo: { code: 21501, message: 'invalid tx info' },
  l1Signature: { code: 21504, message: 'fail to l1 signature' },
  txType: { code: 21505, message: 'unsupported tx type' },
  belowInitial: { code: 21508, message: "account is below initial margin, can't execute transaction" },
  market: { code: 21602, message: 'invalid market index' },
  fraction: { code: 21604, message: 'invalid margin fractions for market' },
  marketStatus: { code: 21605, message: 'invalid market status' },
  marginMode: { code: 21613, message: 'invalid margin mode' },
  noPosition: { code: 21614, message: 'no position found' },
  orderIndex: { code: 21700, message: 'invalid order index' },
  base: { code: 21701, message: 'invalid base amount' },
  price: { code: 21702, message: 'invalid price' },
  isAsk: { code: 21703, message: 'invalid isAsk' },
  type: { code: 21704, message: 'invalid OrderType' },
  timeInForce: { code: 21705, message: 'invalid OrderTimeInForce' },
  amounts: { code: 21706, message: 'invalid order base or quote amount' },
  unsupported: { code: 21710, message: 'unsupported order type' },
  expiry: { code: 21711, message: 'invalid expiry' },
  inactive: { code: 21715, message: 'given order is not an active order' },
  clientIndex: { code: 21727, message: 'invalid client order index' },
  duplicate: { code: 21728, message: 'client order index already exists' },
  trigger: { code: 21729, message: 'invalid order trigger price' },
  reduceOnly: { code: 21732, message: 'reduce only increases position' },
  accidental: { code: 21733, message: 'order price flagged as an accidental price' },
  tooFar: { code: 21734, message: 'limit order price is too far from the mark price' },
  margin: { code: 21739, message: 'not enough margin to create the order' },
  reduceOnlyMode: { code: 21740, message: 'invalid reduce only mode' },
  tooMany: { code: 23000, message: 'Too Many Requests!' },
} satisfies Record<string, Refusal>;

export function invalidParam(why: string): Refusal {
  return { code: 20001, message: `invalid param : ${why}` };
}

export function invalidAuth(why: string): Refusal {
  return { code: 20013, message: `invalid auth: ${why}` };
}
