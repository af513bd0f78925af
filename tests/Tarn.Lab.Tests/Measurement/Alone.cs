namespace Tarn.Lab.Tests.Measurement;

/// <summary>Tests that measure the memory of the whole process. Nothing else runs beside them, as its memory would be counted.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public class Alone
{
    public const string Name = "alone";
}
