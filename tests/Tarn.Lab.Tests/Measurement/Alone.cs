namespace Tarn.Lab.Tests.Measurement;

/// <summary>Tests of what the whole process holds: nothing else runs meanwhile, or its memory would be counted.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public class Alone
{
    public const string Name = "alone";
}
