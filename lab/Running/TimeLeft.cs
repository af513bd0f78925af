namespace Tarn.Lab.Running;

/// <summary>
/// Time left of a run made of parts with expected durations. Expectations were made on another machine, so they are scaled by how
/// long the finished parts took here.
/// </summary>
internal sealed class TimeLeft
{
    private readonly double[] _expected;
    private readonly TimeProvider _clock;
    private readonly long _startedAt;
    private double _fraction;
    private int _part;

    public TimeLeft(double[] expectedSeconds, TimeProvider? clock = null)
    {
        _expected = expectedSeconds;
        _clock = clock ?? TimeProvider.System;
        _startedAt = _clock.GetTimestamp();
    }

    public double FractionDone => DoneSeconds / _expected.Sum();

    public double Seconds
    {
        get
        {
            double remaining = _expected.Sum() - DoneSeconds;
            if (_part == 0)
            {
                return remaining;
            }

            // The first parts weigh little; the scale settles as more of them finish.
            double pace = _clock.GetElapsedTime(_startedAt).TotalSeconds / Math.Max(DoneSeconds, 1e-3);
            return remaining * Math.Clamp(pace, 0.25, 4);
        }
    }

    public string Text => Seconds < 90 ? $"{Math.Max(1, Math.Ceiling(Seconds)):0} s" : $"{Seconds / 60:0.0} min";

    private double DoneSeconds => _expected.Take(_part).Sum() + (_part < _expected.Length ? _expected[_part] * _fraction : 0);

    /// <summary>How far the current part is, from 0 to 1.</summary>
    public void Report(double fraction) => _fraction = Math.Clamp(fraction, 0, 1);

    /// <summary>The current part is done.</summary>
    public void Finish()
    {
        _part++;
        _fraction = 0;
    }
}
