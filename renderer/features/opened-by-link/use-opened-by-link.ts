/**
 * A dialog that an address opens: `/accounts?add`. The parameter leaves the address at once, so that a reload opens
 * nothing.
 */
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';

/** @param open keeps its identity from render to render */
export function useOpenedByLink(word: string, open: () => void): void {
  const search = useSearch();
  const [place, navigate] = useLocation();
  const isAsked = new URLSearchParams(search).has(word);
  useEffect(() => {
    if (!isAsked) return;
    navigate(place, { replace: true });
    open();
  }, [isAsked, place, navigate, open]);
}
