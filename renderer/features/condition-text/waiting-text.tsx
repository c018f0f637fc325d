/** What a trigger waits for, the same wherever triggers are listed. */
import { useMemo } from 'react';
import { useTicker } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { formatNumber } from '../../components/format.ts';
import { type Trigger, waitingText } from './condition-text.ts';

/** Digits of a level, grouped as the reader's locale does. */
export function useLevelText(): (value: string) => string {
  const settings = useSettings();
  return useMemo(() => (value) => formatNumber(settings, value), [settings]);
}

export function WaitingText({ trigger }: { readonly trigger: Trigger }) {
  return <>{waitingText(trigger, useTicker(), useLevelText())}</>;
}
