import { CHANNELS, logCommand } from '../destinations.ts';

export const command = logCommand(CHANNELS);
