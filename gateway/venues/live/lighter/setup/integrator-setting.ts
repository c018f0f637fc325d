/** Setting that names an integrator. By default there is none, and only the venue takes a fee. */
import { z } from 'zod';

const LAST_ACCOUNT = 2 ** 48 - 2;
/** A fraction of the notional with up to six decimals: the venue counts fees in millionths. */
const FEE = /^0(\.\d{1,6})?$/;

/** Highest fees in millionths of the notional. */
export interface Integrator {
  readonly accountIndex: number;
  readonly perpsTaker: number;
  readonly perpsMaker: number;
  readonly spotTaker: number;
  readonly spotMaker: number;
}

export const INTEGRATOR_FORM =
  '<account index>:<perps taker fee>:<perps maker fee>[:<spot taker fee>:<spot maker fee>], fees as fractions';

/** `4711:0.0001:0.00005`; spot fees are 0 where they are left out. */
export const integratorText = z
  .string()
  .refine((text) => integratorOf(text) !== null, { message: `expected ${INTEGRATOR_FORM}` })
  .nullable()
  .default(null);

/** null: the text names none. */
export function integratorOf(text: string | null): Integrator | null {
  const [account = '', ...fees] = (text ?? '').split(':');
  const isNamed = /^\d{1,15}$/.test(account) && Number(account) <= LAST_ACCOUNT;
  if (!isNamed || (fees.length !== 2 && fees.length !== 4) || !fees.every((fee) => FEE.test(fee)))
    return null;
  const millionths = fees.map((fee) => Number((fee.split('.')[1] ?? '').padEnd(6, '0')));
  const [perpsTaker = 0, perpsMaker = 0, spotTaker = 0, spotMaker = 0] = millionths;
  return { accountIndex: Number(account), perpsTaker, perpsMaker, spotTaker, spotMaker };
}
