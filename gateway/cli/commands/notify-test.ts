import { CHANNELS, testCommand } from '../destinations.ts';

export const command = testCommand(CHANNELS);
