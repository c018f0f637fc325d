/** Makes the fault scripts of the paper venues, which are plain JSON, rule by rule. */
import type {
  FaultAction,
  FaultMatch,
  FaultRule,
  FaultScript,
} from '../../gateway/venues/paper/venue/faults.ts';

/** `faultScript().at({ batch: 1, leg: 1 }, { kind: 'drop_answer' }).done()` */
export interface FaultScriptBuilder {
  at(match: FaultMatch, action: FaultAction): FaultScriptBuilder;
  done(): FaultScript;
}

export function faultScript(rules: readonly FaultRule[] = []): FaultScriptBuilder {
  return {
    at: (match, action) => faultScript([...rules, { match, action }]),
    done: () => ({ rules }),
  };
}
