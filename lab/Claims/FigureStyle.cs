namespace Tarn.Lab.Claims;

/// <summary>How a claim's figure is written.</summary>
internal enum FigureStyle
{
    /// <summary>A ratio: <c>0.55</c>.</summary>
    Ratio,

    /// <summary>A ratio turned round: how many times as fast.</summary>
    Times,

    /// <summary>A share of one: <c>19.9 %</c>.</summary>
    Percent,

    /// <summary>Bytes: <c>0</c>.</summary>
    Bytes,

    /// <summary>A time: <c>49 ns</c>.</summary>
    Nanoseconds,
}
