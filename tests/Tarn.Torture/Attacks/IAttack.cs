namespace Tarn.Torture.Attacks;

/// <summary>One way to attack the library. Attacks know nothing of each other, nor of who starts them.</summary>
internal interface IAttack
{
    /// <summary>What <c>--only</c> names.</summary>
    string Name { get; }

    /// <summary>What it does, in a line.</summary>
    string Description { get; }

    /// <summary>
    /// Whether all its time is to be spent at once, because what it looks for shows in time only, or its least piece takes long.
    /// </summary>
    bool IsContinuous => false;

    /// <summary>Attacks until its time is up, at least once, in a process that does nothing else.</summary>
    /// <exception cref="FindingException">It met what must not be. Any other exception is a finding as well.</exception>
    void Run(AttackContext context);
}
