namespace Tarn.Tool.Advice;

/// <summary>What a pool did, or would have done, with the rents and returns of a recording.</summary>
/// <param name="Name">The pool.</param>
/// <param name="Rented">The rents.</param>
/// <param name="Allocated">The rents for which it allocated.</param>
/// <param name="Dropped">The returned buffers that it did not keep; null if unknown.</param>
/// <param name="MostRetained">The most elements that it kept at once; null if unknown.</param>
internal sealed record ReplayResult(string Name, long Rented, long Allocated, long? Dropped, long? MostRetained)
{
    public double MissShare => Rented == 0 ? 0 : (double)Allocated / Rented;
}
