/**
 * Passwords of tests are hashed at the least cost: whoever trades in a test has registered first, and the real cost was a
 * tenth of an API test. What is stored says its own cost, so that verifying needs no change.
 */
import { createRequire } from 'node:module';

type Hash = (password: string, options: object) => Promise<string>;

const LEAST = { memoryCost: 8, timeCost: 1 };

let isCheap = true;
const argon2: { hash: Hash } = createRequire(import.meta.url)('@node-rs/argon2');
const { hash } = argon2;
argon2.hash = (password, options) => hash(password, isCheap ? { ...options, ...LEAST } : options);

/** Call it in the `describe` of a suite about the cost. */
export function passwordsAtTheirCost(): void {
  before(() => {
    isCheap = false;
  });
  after(() => {
    isCheap = true;
  });
}
