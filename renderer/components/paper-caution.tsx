/** Caution that results on a paper venue are simulated. */
const PAPER_CAUTION =
  'Paper markets are simulated. What a strategy earns or loses on them is no evidence of what it would earn or lose on real ones.';

export function PaperCaution({ className = '' }: { readonly className?: string }) {
  return (
    <p className={className} role="note">
      {PAPER_CAUTION}
    </p>
  );
}
