namespace Tarn.Torture.Attacks;

/// <summary>One way to attack the library. Attacks do not know each other or their starter.</summary>
internal interface IAttack
{
    /// <summary>The name for <c>--only</c>.</summary>
    string Name { get; }

    /// <summary>A description in one line.</summary>
    string Description { get; }

    /// <summary>Whether the attack runs in one piece, because its findings need time to show or its smallest step takes long.</summary>
    bool IsContinuous => false;

    /// <summary>Attacks until its time is up, at least once, in a process that does nothing else.</summary>
    /// <exception cref="FindingException">The attack found a violation. Any other exception is a finding as well.</exception>
    void Run(AttackContext context);
}
