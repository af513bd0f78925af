namespace Tarn.Traces;

/// <summary>An object whose allocation the runtime sampled.</summary>
/// <param name="Type">The number of its type in <see cref="AllocationRecording.Types"/>.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="IsLarge">Whether it is among the large objects, or the pinned ones.</param>
/// <param name="Stack">Where it was allocated; 0 if that is unknown.</param>
/// <param name="Objects">How many such objects it stands for.</param>
/// <param name="Variance">The variance of the bytes that it stands for.</param>
internal readonly record struct AllocationSample(int Type, long Bytes, bool IsLarge, int Stack, double Objects, double Variance)
{
    /// <summary>How many bytes it stands for.</summary>
    public double TotalBytes => Objects * Bytes;
}
