namespace Tarn.Lab.Measurement;

/// <summary>No work, to measure the cost of the loop itself. The report shows it, and it is never subtracted.</summary>
internal readonly struct EmptyWork : IWork
{
    public void Once()
    {
    }
}
