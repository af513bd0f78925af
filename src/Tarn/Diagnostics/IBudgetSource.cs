namespace Tarn.Diagnostics;

/// <summary>What diagnostics need from a budget.</summary>
internal interface IBudgetSource
{
    /// <summary>Returns the current numbers.</summary>
    BudgetSnapshot GetSnapshot();

    /// <summary>Tells once of a request that has waited as long. Returns whether any request waits.</summary>
    bool TellLongWait(TimeSpan longWait);
}
