import { logCommand, WEBHOOKS } from '../destinations.ts';

export const command = logCommand(WEBHOOKS);
