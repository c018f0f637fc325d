/** The wanted categories, kept in the browser: the choice belongs to the machine, not to the user. */
import { keptChoice } from '../../api/kept-choice.ts';
import { readOsPreference } from './os-preference.ts';

export const [useOsPreference, setOsPreference] = keptChoice('tandem.os-notifications', readOsPreference);
