/** Setting that names an integrator. By default there is none, and nobody takes a fee beside the venue. */
import { z } from 'zod';
import { dec } from '../../../../domain/decimal.ts';

const MILLION = 1_000_000;
const LAST_ACCOUNT = 2 ** 48 - 2;
const RATE = /^0(\.\d{1,6})?$/;

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
export const integratorSetting = z
  .string()
  .transform((given, context): Integrator => {
    const [account = '', ...fees] = given.split(':');
    const isRight =
      /^\d{1,15}$/.test(account) &&
      Number(account) <= LAST_ACCOUNT &&
      (fees.length === 2 || fees.length === 4) &&
      fees.every((fee) => RATE.test(fee));
    if (!isRight) {
      context.addIssue({ code: 'custom', message: `expected ${INTEGRATOR_FORM}` });
      return z.NEVER;
    }
    const [perpsTaker = 0, perpsMaker = 0, spotTaker = 0, spotMaker = 0] = fees.map((fee) =>
      dec(fee).mul(MILLION).toNumber(),
    );
    return { accountIndex: Number(account), perpsTaker, perpsMaker, spotTaker, spotMaker };
  })
  .nullable()
  .default(null);
