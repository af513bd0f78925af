namespace Tarn.Pages;

/// <summary>
/// Maps the values of one axis onto pixels and chooses its ticks. A logarithmic axis is read in doublings where its values are powers
/// of two and in decades elsewhere; values it cannot show have no place on it (<see cref="CanShow"/>).
/// </summary>
internal sealed class AxisScale
{
    private readonly Axis _axis;
    private readonly double _low;
    private readonly double _high;
    private readonly double _from;
    private readonly double _to;
    private readonly bool _doublings;

    private AxisScale(Axis axis, double low, double high, double from, double to, bool doublings) =>
        (_axis, _low, _high, _from, _to, _doublings) = (axis, low, high, from, to, doublings);

    /// <summary>An axis that holds every value; <paramref name="from"/> and <paramref name="to"/> are the pixels of its ends.</summary>
    /// <param name="padded">Leaves room above and below the values and starts a linear axis at zero; for the axis measured.</param>
    public static AxisScale Over(Axis axis, IEnumerable<double> values, double from, double to, bool padded)
    {
        var shown = values.Where(v => CanShow(axis, v)).ToList();
        if (shown.Count == 0)
        {
            shown.Add(1);
        }

        double low = shown.Min(), high = shown.Max();
        if (axis.Logarithmic)
        {
            var room = padded ? Math.Max(Math.Pow(high / low, 0.06), 1.15) : low == high ? 2 : 1;
            return new(axis, low / room, high * room, from, to, shown.TrueForAll(double.IsPow2));
        }

        if (padded)
        {
            low = Math.Min(low, 0);
            high = high <= 0 && low < 0 ? 0 : high;
            high += (high - low) * 0.05;
        }

        if (low == high)
        {
            high = low + 1;
        }

        return new(axis, low, high, from, to, doublings: false);
    }

    /// <summary>No measurement comes near the limits; they keep the sums of scales and ticks finite.</summary>
    public static bool CanShow(Axis axis, double value) => Math.Abs(value) < 1e300 && (!axis.Logarithmic || value > 1e-300);

    public bool CanShow(double value) => CanShow(_axis, value);

    public bool Holds(double value) => CanShow(value) && value >= _low && value <= _high;

    /// <summary>Where bars start: zero, or the low end of a logarithmic axis.</summary>
    public double Base => _axis.Logarithmic ? _from : Map(0);

    public double Map(double value)
    {
        var share = _axis.Logarithmic
            ? Math.Log(value / _low) / Math.Log(_high / _low)
            : (value - _low) / (_high - _low);
        return _from + share * (_to - _from);
    }

    public string Label(double tick) => Quantity.Tick(tick, _axis.Unit);

    /// <summary>At most <paramref name="limit"/> round values within the axis, in order.</summary>
    public IReadOnlyList<double> Ticks(int limit)
    {
        limit = Math.Max(limit, 2);
        if (!_axis.Logarithmic)
        {
            return Linear(limit);
        }

        return _doublings ? Powers(2, [1, 2, 3, 5, 10, 20], limit) : Decades(limit);
    }

    private List<double> Linear(int limit)
    {
        for (var size = StartingStep(); ; size = NextStep(size))
        {
            var ticks = new List<double>();
            for (var i = Math.Ceiling(_low / size - 1e-9); i * size <= _high * (1 + 1e-12) && ticks.Count <= limit; i++)
            {
                ticks.Add(i * size);
            }

            if (ticks.Count <= limit)
            {
                return ticks;
            }
        }
    }

    /// <summary>Bytes are counted in powers of two, everything else in 1, 2, 5, 10.</summary>
    private double StartingStep()
    {
        var smallest = (_high - _low) / 1000;
        return _axis.Unit == "B"
            ? Math.Pow(2, Math.Max(0, Math.Ceiling(Math.Log2(smallest))))
            : Math.Pow(10, Math.Floor(Math.Log10(smallest)));
    }

    private double NextStep(double step)
    {
        if (_axis.Unit == "B")
        {
            return step * 2;
        }

        var leading = Math.Round(step / Math.Pow(10, Math.Floor(Math.Log10(step) + 1e-9)));
        return leading == 2 ? step * 2.5 : step * 2;
    }

    /// <summary>Powers whose exponents are multiples of the smallest stride that leaves few enough of them.</summary>
    private List<double> Powers(double radix, int[] strides, int limit)
    {
        var ticks = new List<double>();
        foreach (var stride in strides)
        {
            ticks.Clear();
            var first = Math.Ceiling(Math.Log(_low, radix) / stride - 1e-9);
            for (var i = first; Math.Pow(radix, i * stride) <= _high * (1 + 1e-9); i++)
            {
                ticks.Add(Math.Pow(radix, i * stride));
            }

            if (ticks.Count <= limit)
            {
                return ticks;
            }
        }

        return ticks;
    }

    /// <summary>Decades; within few of them also 2 and 5 of each; within less than one the ticks of a linear axis.</summary>
    private List<double> Decades(int limit)
    {
        var decades = Powers(10, [1, 2, 3, 6, 12], limit);
        if (decades.Count > 3)
        {
            return decades;
        }

        var between = new List<double>();
        for (var decade = Math.Pow(10, Math.Floor(Math.Log10(_low))); decade <= _high; decade *= 10)
        {
            between.AddRange(new[] { decade, 2 * decade, 5 * decade }.Where(v => v >= _low && v <= _high));
        }

        if (between.Count <= 2)
        {
            return Linear(limit);
        }

        return between.Count <= limit ? between : decades;
    }
}
