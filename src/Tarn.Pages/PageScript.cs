namespace Tarn.Pages;

/// <summary>The page's interactions: tables sort, and pictures show their values. The page is complete without it.</summary>
internal static class PageScript
{
    public const string JavaScript = """
        'use strict';

        // Tables: by raw value, rows without one last in either order, ties in their old order.
        function sortBy(table, column, descending) {
          const heads = [...table.tHead.rows[0].cells];
          heads.forEach(h => h.removeAttribute('aria-sort'));
          heads[column].setAttribute('aria-sort', descending ? 'descending' : 'ascending');
          const numeric = heads[column].classList.contains('number') || heads[column].classList.contains('word');
          const key = row => row.cells[column].dataset.sort;
          const rows = [...table.tBodies[0].rows].sort((a, b) => {
            const x = key(a), y = key(b);
            if (x === '' || y === '') return (x === '') - (y === '');
            const order = numeric ? x - y : x.localeCompare(y, 'en', { numeric: true });
            return descending ? -order : order;
          });
          table.tBodies[0].append(...rows);
        }

        for (const table of document.querySelectorAll('table.sortable')) {
          const heads = [...table.tHead.rows[0].cells];
          heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () =>
            sortBy(table, column, head.getAttribute('aria-sort') === 'ascending')));

          // Cards have no headings to click, so a list replaces them.
          const label = document.createElement('label');
          label.className = 'sort-by';
          label.append('Sort by');
          const select = document.createElement('select');
          select.append(new Option('order of the table', ''));
          heads.forEach((head, column) => {
            const name = head.textContent, text = head.classList.contains('text');
            select.append(new Option(`${name}, ${text ? 'A to Z' : 'lowest first'}`, `${column}`));
            select.append(new Option(`${name}, ${text ? 'Z to A' : 'highest first'}`, `${column} down`));
          });
          const original = [...table.tBodies[0].rows];
          select.addEventListener('change', () => {
            const [column, down] = select.value.split(' ');
            if (column !== '') return sortBy(table, Number(column), down !== undefined);
            heads.forEach(h => h.removeAttribute('aria-sort'));
            table.tBodies[0].append(...original);
          });
          label.append(select);
          table.before(label);
        }

        // Pictures: every point carries "series, position, value" as a title; the pointer gathers those at one position.
        const tip = document.getElementById('tip');
        for (const svg of document.querySelectorAll('svg.picture')) {
          const points = [...svg.querySelectorAll('.point')].filter(p => p.firstElementChild).map(p => {
            const [name, at, value] = p.firstElementChild.textContent.split('\n');
            const place = p.transform.baseVal[0].matrix;
            p.firstElementChild.remove();
            return { name, at, value, x: place.e, y: place.f, series: p.parentNode };
          });
          if (points.length === 0) continue;

          const cursor = document.createElementNS(svg.namespaceURI, 'line');
          cursor.setAttribute('class', 'cursor');
          const low = Math.max(...[...svg.querySelectorAll('.grid')].map(l => l.y1.baseVal.value), ...points.map(p => p.y));
          const high = Math.min(...points.map(p => p.y));
          // The tip is shared: only the picture that shows it may hide it.
          const leave = () => {
            if (!cursor.isConnected) return;
            tip.hidden = true;
            cursor.remove();
            svg.classList.remove('focus');
          };

          const show = event => {
            const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
            const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
            const nearest = points.reduce((a, b) => Math.abs(b.x - x) < Math.abs(a.x - x) ? b : a);
            if (Math.abs(nearest.x - x) > 40 || y > low + 12 || y < high - 40) return leave();

            const here = points.filter(p => p.at === nearest.at).sort((a, b) => a.y - b.y);
            const closest = here.reduce((a, b) => Math.abs(b.y - y) < Math.abs(a.y - y) ? b : a);
            svg.classList.toggle('focus', Math.abs(closest.y - y) < 7);
            svg.querySelectorAll('.series').forEach(s => s.classList.toggle('on', s.dataset.series === closest.series.dataset.series));
            const place = { x1: nearest.x, x2: nearest.x, y1: high - 8, y2: low };
            for (const [name, value] of Object.entries(place)) cursor.setAttribute(name, value);
            svg.prepend(cursor);

            const head = document.createElement('b');
            head.textContent = nearest.at;
            tip.replaceChildren(head, ...here.map(p => {
              const row = document.createElement('div');
              row.className = p.series.getAttribute('class').replace('series', '').trim();
              for (const text of [p.name, p.value]) row.appendChild(document.createElement('span')).textContent = text;
              return row;
            }));
            tip.hidden = false;
            const left = event.clientX + 18 + tip.offsetWidth > innerWidth ? event.clientX - tip.offsetWidth - 18 : event.clientX + 18;
            const top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8);
            tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
          };
          svg.addEventListener('pointermove', show);
          svg.addEventListener('pointerdown', show);
          // Lifting a finger also leaves the picture, but the reader still reads: the next touch or scroll hides the tip.
          svg.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') leave(); });
          document.addEventListener('pointerdown', event => { if (!svg.contains(event.target)) leave(); });
          document.addEventListener('scroll', leave, { passive: true });
        }
        """;
}
