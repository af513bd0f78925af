namespace Tarn.Lab.Measurement;

/// <summary>Nothing: what the measuring loop itself costs. Noted in the report, never subtracted.</summary>
internal readonly struct EmptyWork : IWork
{
    public void Once()
    {
    }
}
