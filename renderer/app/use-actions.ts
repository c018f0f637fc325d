/** Commands that are available on every screen. */
import {
  Ban,
  BookOpen,
  Clock,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  OctagonX,
  Pause,
  Play,
  Plus,
  Rows3,
  Scale,
  ShieldOff,
} from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useGet } from '../api/queries.ts';
import { signOut, useMaybeAccount } from '../api/session.ts';
import { changeSettings, useSettings } from '../api/settings.ts';
import { sayError } from '../components/toast.tsx';
import { useDifferences } from '../features/venue-differences/use-differences.ts';
import { resumeName } from './panic-text.ts';
import { requestStop, setPaused } from './stop-request.ts';

export interface PaletteAction {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Keyboard shortcut of the same action. */
  readonly keys?: string;
  readonly act: () => void;
}

/** @param onKeys shows the list of shortcuts; must keep its identity from render to render */
export function useActions(onKeys: () => void): readonly PaletteAction[] {
  const [, navigate] = useLocation();
  const account = useMaybeAccount();
  const hasAccount = account !== null;
  const differences = useDifferences().find(({ tradeAccountId }) => tradeAccountId === account?.id);
  const isToSettle = differences?.differences.some(({ outside }) => Number(outside) !== 0) === true;
  const { data: safety } = useGet('GET /safety', {}, { shared: true });
  // Name of the resume command; null: new orders are not paused.
  const resume = safety?.paused === true ? resumeName(safety) : null;
  const { density, zone } = useSettings();
  return useMemo(() => {
    const roomier = density === 'compact';
    return [
      ...(!hasAccount
        ? []
        : [
            { name: 'New basket', icon: Plus, act: () => navigate('/trade') },
            { name: 'Cancel all resting orders…', icon: Ban, act: () => requestStop('cancel') },
          ]),
      ...(isToSettle
        ? [
            {
              name: 'Settle trades outside Tandem…',
              icon: Scale,
              act: () => navigate('/positions?settle'),
            },
          ]
        : []),
      resume === null
        ? { name: 'Pause new orders', icon: Pause, act: () => void setPaused(true) }
        : { name: resume, icon: Play, act: () => void setPaused(false) },
      { name: 'Close everything…', icon: OctagonX, act: () => requestStop('close') },
      { name: 'Revoke all agents…', icon: ShieldOff, act: () => requestStop('agents') },
      { name: 'Add a trade account', icon: Plus, act: () => navigate('/accounts?add') },
      { name: 'Create an API key', icon: KeyRound, act: () => navigate('/developers/keys?create') },
      { name: 'API reference', icon: BookOpen, act: () => void open('/docs', '_blank', 'noopener') },
      { name: 'Keyboard shortcuts', icon: Keyboard, keys: '?', act: onKeys },
      {
        name: roomier ? 'Comfortable rows' : 'Compact rows',
        icon: Rows3,
        act: () => changeSettings({ density: roomier ? 'comfortable' : 'compact' }),
      },
      {
        name: zone === 'utc' ? 'Times in the local zone' : 'Times in UTC',
        icon: Clock,
        act: () => changeSettings({ zone: zone === 'utc' ? 'local' : 'utc' }),
      },
      {
        name: 'Sign out',
        icon: LogOut,
        act: () => {
          signOut().catch((error: unknown) => sayError('Still signed in', error));
        },
      },
    ];
  }, [navigate, onKeys, hasAccount, isToSettle, resume, density, zone]);
}
