namespace Tarn.Lab.Report.Page;

/// <summary>Folds: a link into one unfolds it, a button unfolds all, and printed pages show everything.</summary>
internal static class FoldScript
{
    public const string JavaScript = """

        const folds = [...document.querySelectorAll('details')];

        function reveal() {
          const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
          if (target === null) return;
          for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
          target.scrollIntoView();
        }
        addEventListener('hashchange', reveal);
        reveal();

        const contents = document.querySelector('nav ul');
        if (contents && folds.length > 0) {
          const button = document.createElement('button');
          button.type = 'button';
          button.className = 'fold-all';
          const name = () => button.textContent = folds.every(fold => fold.open) ? 'Fold everything' : 'Unfold everything';
          button.addEventListener('click', () => {
            const open = !folds.every(fold => fold.open);
            folds.forEach(fold => fold.open = open);
            name();
          });
          document.addEventListener('toggle', name, true);
          name();
          contents.appendChild(document.createElement('li')).append(button);
        }

        // After printing, the reader finds the page as it was.
        let folded = [];
        addEventListener('beforeprint', () => { folded = folds.filter(fold => !fold.open); folds.forEach(fold => fold.open = true); });
        addEventListener('afterprint', () => folded.forEach(fold => fold.open = false));
        """;
}
