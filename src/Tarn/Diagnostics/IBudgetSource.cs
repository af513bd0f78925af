namespace Tarn;

/// <summary>What metrics need from a budget.</summary>
internal interface IBudgetSource
{
    /// <summary>Returns the current numbers.</summary>
    BudgetSnapshot GetSnapshot();
}
