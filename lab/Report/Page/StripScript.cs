namespace Tarn.Lab.Report.Page;

/// <summary>
/// The strip picture's interactions. Without it every dot is a link with a title. With it the nearest dot shows its figures, and the arrow
/// keys move from dot to dot.
/// </summary>
internal static class StripScript
{
    public const string JavaScript = """

        // Strips: a strip is one stop of the Tab key, and the arrows go on from there.
        for (const svg of document.querySelectorAll('svg.strip')) {
          const lanes = [...svg.querySelectorAll('.lane')].map(lane => [...lane.querySelectorAll('a.dot')].map(link => {
            const title = link.querySelector('title'), place = link.transform.baseVal[0].matrix;
            link.setAttribute('aria-label', title.textContent);
            title.remove();
            link.setAttribute('tabindex', '-1');
            return { link, x: place.e, y: place.f };
          }));
          const dots = lanes.flat();
          const nearestTo = (list, x) => list.reduce((a, b) => Math.abs(b.x - x) < Math.abs(a.x - x) ? b : a);
          lanes.forEach(lane => lane[0].link.setAttribute('tabindex', '0'));
          let shown = null;

          const hide = () => {
            if (shown === null) return;
            shown.link.classList.remove('on');
            svg.classList.remove('pointed');
            shown = null;
            tip.hidden = true;
          };

          // The figures come from the comparison's own row further down.
          const show = dot => {
            if (shown === dot) return;
            hide();
            shown = dot;
            dot.link.classList.add('on');
            svg.classList.add('pointed');
            const row = document.getElementById(dot.link.getAttribute('href').slice(1));
            const head = document.createElement('b');
            head.textContent = row.querySelector('strong').textContent;
            const lines = [...row.querySelectorAll('.side')].map((side, i) => {
              const line = document.createElement('div'), value = side.querySelector('b').textContent;
              line.className = 'plain' + (i === 0 ? ' ours' : '');
              for (const text of [side.textContent.replace(/^against /, '').slice(0, -value.length).trim(), value])
                line.appendChild(document.createElement('span')).textContent = text;
              return line;
            });
            const result = document.createElement('div');
            result.className = `plain result-line ${row.className}`;
            const text = q => row.querySelector(q)?.textContent ?? '';
            result.appendChild(document.createElement('span')).textContent = text('.outcome');
            result.appendChild(document.createElement('span')).textContent = `${text('.result > b')} (${text('.interval')})`;
            tip.replaceChildren(head, ...lines, result);
            tip.hidden = false;
            const box = dot.link.getBoundingClientRect();
            const rightmost = document.documentElement.clientWidth - tip.offsetWidth - 8;
            const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), rightmost);
            const below = box.bottom + 10 + tip.offsetHeight < innerHeight;
            tip.style.transform = `translate(${left}px, ${below ? box.bottom + 10 : Math.max(8, box.top - tip.offsetHeight - 10)}px)`;
          };

          const near = event => {
            const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
            const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
            const far = dot => Math.hypot(dot.x - x, dot.y - y);
            const dot = dots.reduce((a, b) => far(b) < far(a) ? b : a);
            return far(dot) < (event.pointerType === 'touch' ? 22 : 12) * scale ? dot : null;
          };

          let before = null, touch = false;
          const point = event => { const dot = near(event); if (dot) show(dot); else hide(); };
          svg.addEventListener('pointermove', point);
          svg.addEventListener('pointerdown', event => { before = shown; touch = event.pointerType === 'touch'; point(event); });
          svg.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') hide(); });
          document.addEventListener('pointerdown', event => { if (!svg.contains(event.target)) hide(); });
          document.addEventListener('scroll', () => { if (shown && document.activeElement !== shown.link) hide(); }, { passive: true });

          // A mouse follows the dot it points at; a finger reads first and follows with a second tap. The keyboard's click has no detail.
          svg.addEventListener('click', event => {
            if (event.detail === 0) return hide();
            if (event.target.closest('a:not(.dot)') || shown === null) return;
            event.preventDefault();
            if (!touch || before === shown) location.hash = shown.link.getAttribute('href');
          });

          lanes.forEach((lane, row) => lane.forEach((dot, i) => {
            dot.link.addEventListener('focus', () => {
              lane.forEach(other => other.link.setAttribute('tabindex', other === dot ? '0' : '-1'));
              show(dot);
            });
            dot.link.addEventListener('blur', hide);
            dot.link.addEventListener('keydown', event => {
              const to = {
                ArrowRight: () => lane[i + 1], ArrowLeft: () => lane[i - 1], Home: () => lane[0], End: () => lane[lane.length - 1],
                ArrowDown: () => lanes[row + 1] && nearestTo(lanes[row + 1], dot.x),
                ArrowUp: () => lanes[row - 1] && nearestTo(lanes[row - 1], dot.x),
                Escape: () => { hide(); },
              }[event.key];
              if (!to) return;
              event.preventDefault();
              to()?.link.focus();
            });
          }));
        }
        """;
}
