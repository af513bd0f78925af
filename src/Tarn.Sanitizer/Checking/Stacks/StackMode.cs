namespace Tarn.Sanitizing.Checking;

/// <summary>What is recorded of the stacks that rent and return.</summary>
internal enum StackMode
{
    /// <summary>Nothing: findings say what happened, not where.</summary>
    Off,

    /// <summary>A stack is captured when it is seen first and recognized later.</summary>
    Known,

    /// <summary>Every stack is captured.</summary>
    Full,
}
