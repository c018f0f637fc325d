/** Opens things in the hooks of a suite, and closes them in the opposite order. Call it in `describe`. */

type Close = () => unknown;
type Opening = 'before' | 'beforeEach';

/** Closes of what is open, by suite and hook. */
const toClose = { before: new WeakMap<object, Close[]>(), beforeEach: new WeakMap<object, Close[]>() };

/**
 * Opens something before each test of a suite.
 * @param close its own `close`, if none is given and it has one without parameters
 * @returns stands for what is open at the time, in hooks and tests
 */
export function openForEachTest<T extends object>(
  open: () => T | Promise<T>,
  close: (value: T) => unknown = closeItself,
): T {
  return openIn('beforeEach', open, close);
}

/**
 * Opens something once, before all tests of a suite.
 * @param close its own `close`, if none is given and it has one without parameters
 * @returns stands for what is open, in hooks and tests
 */
export function openForSuite<T extends object>(
  open: () => T | Promise<T>,
  close: (value: T) => unknown = closeItself,
): T {
  return openIn('before', open, close);
}

function openIn<T extends object>(
  opening: Opening,
  open: () => T | Promise<T>,
  close: (value: T) => unknown,
): T {
  const closes = toClose[opening];
  let value: T | undefined;
  const [openHook, closeHook] = opening === 'before' ? [before, after] : [beforeEach, afterEach];
  openHook(async function () {
    const opened = await open();
    value = opened;
    const suite = this.test?.parent;
    if (suite === undefined) throw new Error('A hook without a suite');
    closes.set(suite, [...(closes.get(suite) ?? []), () => close(opened)]);
  });
  // The first of them closes what all of the suite have opened.
  closeHook(async function () {
    const suite = this.test?.parent;
    if (suite === undefined) return;
    const open = closes.get(suite) ?? [];
    closes.delete(suite);
    for (const closeOne of open.reverse()) await closeOne();
  });
  return standIn(() => {
    if (value === undefined) throw new Error('It is not open yet');
    return value;
  });
}

function closeItself(value: object): unknown {
  const close = 'close' in value ? value.close : undefined;
  return typeof close === 'function' && close.length === 0 ? close.call(value) : undefined;
}

/** Has the properties of the current value, for what belongs to something that is opened anew. */
export function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_target, key) {
      const value = Reflect.get(current(), key);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    set: (_target, key, value) => Reflect.set(current(), key, value),
    has: (_target, key) => Reflect.has(current(), key),
    ownKeys: () => Reflect.ownKeys(current()),
    getPrototypeOf: () => Reflect.getPrototypeOf(current()),
    getOwnPropertyDescriptor(_target, key) {
      const property = Reflect.getOwnPropertyDescriptor(current(), key);
      return property && { ...property, configurable: true };
    },
  });
}
