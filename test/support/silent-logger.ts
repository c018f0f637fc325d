import type { Logger } from '../../gateway/engine/ports/system.ts';

const nothing = () => undefined;

export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
